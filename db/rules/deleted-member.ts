/** What a deleted member is called where other members see them. */
export const DELETED_MEMBER = 'Deleted member'

/**
 * User name, e-mail address and keys of a deleted member's row. The colon stands in no name and the
 * missing `@` in no address that anybody can register, so it never collides.
 */
export function shellName(memberId: number): string {
  return `deleted:${memberId}`
}
