import { connect } from '#db/engine/connect'
import { storeAvatar } from '#db/members/avatar-files'
import { inTransaction } from '#db/postgres/statements/transaction'
import { AVATAR_BYTES, AVATAR_PIXELS } from '#rules/members/avatars'
import { dataUrl, jpeg } from '#scripts/testing/gateway/jpeg'
import type { BenchTable } from '#trials/bench/result'

const KB = 1_000
const LARGEST_KB = 25

/** Gives a member a picture of the most pixels and bytes that may be uploaded. */
async function giveLargestAvatar(databaseUrl: string, memberId: number): Promise<void> {
  const db = connect(databaseUrl, { max: 1, name: 'bench' })
  const padding = AVATAR_BYTES - jpeg(AVATAR_PIXELS, AVATAR_PIXELS).length
  const picture = dataUrl(jpeg(AVATAR_PIXELS, AVATAR_PIXELS, padding))
  await inTransaction(db, async (tx) => {
    const avatar = await storeAvatar(tx, memberId, picture)
    await tx('users').where({ id: memberId }).update({ avatar })
  })
  await db.destroy()
}

type Member = { databaseUrl: string; memberId: number; url: string; cookies: string }

/** The HTML of each page of a member with the largest avatar, as sent. */
export async function pageHtmlTable(member: Member, paths: string[]): Promise<BenchTable> {
  await giveLargestAvatar(member.databaseUrl, member.memberId)
  const sentBytes = async (path: string) => {
    const answer = await fetch(`${member.url}${path}`, {
      headers: { Accept: 'text/html', 'Accept-Encoding': 'br', Cookie: member.cookies },
    })
    const html = await answer.text()
    if (!html.includes('/avatars/')) throw new Error(`${path} has no avatar: ${answer.status}`)
    return Number(answer.headers.get('Content-Length'))
  }
  const rows = []
  for (const path of paths) {
    const values = [(await sentBytes(path)) / KB]
    rows.push({ label: path, values, goal: { atMost: LARGEST_KB } })
  }
  const title = 'HTML of a member with the largest avatar'
  return { title, unit: 'kB', higherIsBetter: false, rows }
}
