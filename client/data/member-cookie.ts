import { MEMBER_COOKIE } from '#contract/headers'

const PATTERN = new RegExp(`(?:^|; )${MEMBER_COOKIE}=(\\d+)`)

/**
 * Id of the member who may be signed in on this browser, in all its tabs; undefined if nobody is. The
 * server alone knows whether the sign-in is still valid.
 */
export function memberInCookie(): number | undefined {
  const [, id] = PATTERN.exec(document.cookie) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Removes the marker of a sign-in that the server has ended. */
export function clearMemberCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain HTTP.
  document.cookie = `${MEMBER_COOKIE}=; Path=/; Max-Age=0`
}
