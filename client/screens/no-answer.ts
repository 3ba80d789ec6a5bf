/** Shown when a request got no answer. */
export const NO_ANSWER = 'No answer from the server. Check your connection and try again.'
