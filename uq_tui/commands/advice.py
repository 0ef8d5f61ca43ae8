"""What to do about calls that failed, by kind of failure."""

from uq_tui.words import CallErrorKind

ADVICE = {
    CallErrorKind.RATE_LIMITED: "Wait a while, or set the model's requests_per_minute in the configuration.",
    CallErrorKind.TIMEOUT: "Check that the model's server answers, then resume the run.",
    CallErrorKind.CONNECTION: "Check that the model's server is running and that --api-base is right.",
    CallErrorKind.SERVER: "The model's server had a fault; try again later.",
    CallErrorKind.AUTH: "Check the key: `uq-tui models` says where it comes from (api_key_env, api_key_keyring).",
    CallErrorKind.BAD_REQUEST: "The model's server refused the request; check the model id and its settings.",
    CallErrorKind.CONTEXT_TOO_LONG: "The text is too long for this model; choose one with a larger context.",
    CallErrorKind.CONTENT_FILTERED: "The provider's filter refused the text; choose another model.",
    CallErrorKind.CUT_OFF: "The connection broke in the middle of a reply; check the network, then resume the run.",
    CallErrorKind.MALFORMED: "The model's server sent something that is no reply; check --api-base.",
    CallErrorKind.CANCELLED: "Nothing to mend: the call was cancelled.",
    CallErrorKind.UNAVAILABLE: "The model cannot be used here; `uq-tui models test ID` says why.",
}
