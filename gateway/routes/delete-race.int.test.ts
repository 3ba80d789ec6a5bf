import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { foundInDatabase } from '#scripts/testing/gateway/find-personal-data'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const ROUNDS = 3
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
const product = useProduct({ gateways: 2, workers: true, env: { LOG_LEVEL: 'error' } })

/** The nth command of a member's device; every text that it stores contains `mark`. */
function runCommand(device: Visitor, n: number, mark: string): Promise<{ status: number }> {
  const headers = { 'Idempotency-Key': `${mark}-${n}-key` }
  const gateway = n % 2
  switch (n % 7) {
    case 0:
      return device.call('POST /api/mining/start', { gateway, headers })
    case 1:
      return device.call('POST /api/mining/claim', { gateway })
    case 2:
      return device.call('POST /api/mining/stop', { gateway, headers })
    case 3: {
      const body = { fullName: `${mark} ${n}`, phone: mark }
      return device.call('PATCH /api/user/profile', { gateway, body, headers })
    }
    case 4: {
      const form = new FormData()
      form.set('documentType', 'passport')
      form.set('document', new Blob([new Uint8Array(PDF)]), `${mark}.pdf`)
      return device.fetch('/api/user/kyc', gateway, { method: 'POST', body: form })
    }
    case 5:
      return device.call('POST /api/referral/generate-code', { gateway })
    default:
      return device.call('POST /api/tasks/complete', { gateway, body: { taskId: 'join_telegram' } })
  }
}

type Sent<T> = () => Promise<T>
/** Sends again after 503, as a page does, because a busy machine opens connections late; five times in all. */
async function answerOf<T extends { status: number }>(send: Sent<T>, tries = 5): Promise<T> {
  const answer = await send()
  return answer.status === 503 && tries > 1 ? answerOf(send, tries - 1) : answer
}

it('a deletion among 100 parallel commands leaves a clean audit and no personal data', async () => {
  await product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  const others = await Promise.all(Array.from({ length: 6 }, (_, n) => newMember(product, n % 2)))
  for (let round = 0; round < ROUNDS; round++) {
    const mark = `mark${round}zq`
    const member = await newMember(product, round % 2)
    const phone = await member.otherDevice((round + 1) % 2)
    const { username = '', email = '', id } = member.user ?? {}
    const referralCode = await member.referralCode()
    await member.call('POST /api/mining/start')
    await advance(product.db, INTERVAL_MS)
    await product.db.raw(`update email_codes set "createdAt" = now() - interval '2 minutes'`)

    const commands = Array.from({ length: 100 }, (_, n) =>
      answerOf(() => runCommand(n % 3 ? member : phone, n, mark)),
    )
    const body = { password: PASSWORD, confirmation: username }
    const deletions = [member, phone].map(async (device, n) => {
      await sleep(40 * round + n)
      return answerOf(() => device.call('POST /api/user/delete', { gateway: n, body }))
    })
    const joins = others.map((other, n) =>
      answerOf(() =>
        other.call('POST /api/referral/apply-code', { gateway: n % 2, body: { referralCode } }),
      ),
    )
    const forgot = others[0]?.call('POST /api/password/forgot', { body: { email } })
    const answers = await Promise.all([...commands, ...deletions, ...joins, forgot])
    const statuses = answers.map((answer) => answer?.status ?? 0)
    expect(statuses.filter((status) => ![200, 400, 401, 409, 429].includes(status))).toEqual([])
    const deleted = (await Promise.all(deletions)).map(({ status }) => status).sort()
    expect(deleted).toEqual([200, 401])
    await advance(product.db, INTERVAL_MS)
    await expectCleanAudit(product)
    expect(await foundInDatabase(product, [mark, username, referralCode])).toEqual([])
    expect(await product.db('kyc_documents').where({ userId: id })).toEqual([])
  }
})
