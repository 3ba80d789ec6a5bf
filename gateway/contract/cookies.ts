/**
 * Name of the marker cookie: the id of the member who is signed in. It lives as long as the session
 * cookie but is readable by the page, so that a visitor's page need not ask who is signed in. It
 * grants nothing.
 */
export const MEMBER_COOKIE = 'tesp-member'

/** Name of the cookie with the language that was chosen on the device, in which pages are sent. */
export const LANGUAGE_COOKIE = 'tesp-language'
