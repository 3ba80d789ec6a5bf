/** Name of a deleted member as other members see it. */
export const DELETED_MEMBER = 'Deleted member'

/**
 * Pseudonym in the name and e-mail columns of a deleted member's row. It cannot collide: user names
 * have no colon, e-mail addresses have an `@`.
 */
export function deletedName(memberId: number): string {
  return `deleted:${memberId}`
}
