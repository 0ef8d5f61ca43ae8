"""The curation funnel of Unsolved Questions (arXiv 2508.17580v1, section 2.1): thresholds, rules, ratings, counts.

Pure functions of what is known of a question, but for `passing`, which applies them to a workspace.
"""
