"""Words that look like parts of a reference and are none."""

_NO_NAMES = """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter

in on at by for from since until before after during between as and or but if then when while where with without
the this that these those an it its we our they their he his she her you your all any each every some no not
there here hence thus therefore moreover however furthermore finally recently also see cf compare given let assume
suppose note recall consider indeed similarly likewise nevertheless nonetheless later earlier again both so such now
first second third next last today around about circa year years old new

theorem lemma proposition corollary definition conjecture remark example exercise section chapter appendix equation
formula table figure algorithm problem question answer proof step case claim part page volume vol number issue edition
version item line note paragraph statement result method axiom postulate condition property
springer elsevier wiley birkhäuser birkhauser cambridge oxford princeton university press publisher journal proceedings
annals transactions bulletin arxiv preprint edit edited update updated post posted thread accessed retrieved copyright

putnam olympiad competition contest conference workshop seminar congress summit prize medal award
nature science physica computing computation country address act constitution treaty report standard
python windows ubuntu fortran java matlab mathematica
china japan france germany russia india usa america europe london paris berlin moscow beijing tokyo boston
"""
_NO_WORK = """
space spaces algebra algebras group groups geometry theory manifold manifolds domain domains ring rings field fields
form case setting sense coordinates metric category categories norm plane topology lattice lattices graph graphs
variety varieties measure integral sum product process processes bundle bundles module modules distribution
distributions inequality equation equations matrix matrices function functions series
"""

NO_NAMES = frozenset(_NO_NAMES.split())
"""Words, in lower case, that stand before a year and are nobody: months, words that begin a sentence, publishers."""
NO_WORK = frozenset(_NO_WORK.split())
"""Nouns that make a name before them a term: what holds `in Banach spaces` is not from a work by Banach."""
