/** Duration of the longest animation, real ms; an endless one shows a state and is not waited for. */
export const LONGEST_ANIMATION_MS = 300
