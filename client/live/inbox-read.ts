import { ApiError, call, mayHaveWorked } from '#client/data/api.ts'
import { ownMark, storeMark } from '#client/data/inbox-state.ts'
import { currentUser } from '#client/data/member-data.ts'
import type { ReadMark } from '#rules/inbox'

let isSending = false

/** The mark stays stored until the server has answered. */
export async function sendReadMark(): Promise<void> {
  const memberId = currentUser()?.id
  const { row, announcement, sent } = ownMark()
  if (memberId === undefined || sent || isSending) return
  isSending = true
  const error: unknown = await call('POST /api/inbox/read', { body: { row, announcement } }).then(
    () => undefined,
    (reason) => reason,
  )
  isSending = false
  const now = ownMark()
  // The member has read more during the request.
  if (now.row !== row || now.announcement !== announcement) return sendReadMark()
  const isRejected = error instanceof ApiError && error.status !== 429 && !mayHaveWorked(error)
  if (currentUser()?.id === memberId && (error === undefined || isRejected)) {
    storeMark(memberId, { row, announcement, sent: true })
  }
}

/** Marks what is on the screen as read: here at once, elsewhere as soon as the server answers. */
export function markRead(seen: ReadMark): void {
  const memberId = currentUser()?.id
  if (memberId === undefined) return
  const mark = ownMark()
  const row = Math.max(mark.row, seen.row)
  const announcement = Math.max(mark.announcement, seen.announcement)
  if (row !== mark.row || announcement !== mark.announcement) {
    storeMark(memberId, { row, announcement, sent: false })
  }
  void sendReadMark()
}
