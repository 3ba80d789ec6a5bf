import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import type { Product } from '#gateway/testing/product'
import { type MemberSocket, newMember, type Visitor } from '#gateway/testing/visitor'
import type { TrialReport } from '#trials/kit/report'
import type { Stage } from '#trials/kit/stage'
import type { RunningProxy } from './proxy-process.ts'
import { CLIENT_ADDRESS, encodingOfPage, failedSignIn, requestOverHttp2 } from './raw-requests.ts'

const MIB = 2 ** 20
const PUSH_LIMIT_MS = 10_000
const LOG_LIMIT_MS = 5_000
/** Pause between two requests of a member while gateways restart. */
const PAUSE_MS = 50

/** A member behind one proxy, with a socket. */
export type Guest = { proxy: RunningProxy; member: Visitor; socket: MemberSocket }

/** The gateways of a stage as one product, behind a proxy. */
export const behind = (stage: Stage, { url }: Pick<RunningProxy, 'url'>): Product => ({
  ...stage.product,
  urls: [url],
})

async function upload(member: Visitor, bytes: number): Promise<string> {
  const document = Buffer.alloc(bytes, ' ')
  document.write('%PDF-1.4\n')
  document.write('%%EOF\n', bytes - 6)
  const form = new FormData()
  form.set('documentType', 'passport')
  form.set('document', new Blob([new Uint8Array(document)]), 'passport.pdf')
  const answer = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: form })
  const { message } = (await answer.json()) as { message: string }
  return `${answer.status} ${message}`
}

/** Starts mining, or stops it, and waits for the push of the change. */
export async function expectPush({ member, socket }: Omit<Guest, 'proxy'>): Promise<void> {
  const pushed = new Promise<void>((resolve, reject) => {
    socket.once('changed', () => resolve())
    setTimeout(() => reject(new Error('no push arrived')), PUSH_LIMIT_MS).unref()
  })
  const { active } = (await member.call('GET /api/mining/status')).body
  await member.call(active ? 'POST /api/mining/stop' : 'POST /api/mining/start')
  await pushed
}

/** A member's way through a proxy: sign-in, socket, push, files, uploads, address. */
export async function visit(
  report: TrialReport,
  stage: Stage,
  proxy: RunningProxy,
): Promise<Guest> {
  const { name, url } = proxy
  const member = await report.step(`${name}: a member registers`, () =>
    newMember(behind(stage, proxy)),
  )
  await report.step(`${name}: signs in`, async () => (await member.login()).status, String)
  report.expect(`${name}: HTTP/2`, await requestOverHttp2(url), 'h2 200')
  report.expect(`${name}: encoding of the page`, await encodingOfPage(url), 'br')
  const socket = await report.step(`${name}: the socket connects`, () => member.connected())
  await report.step(`${name}: a command is pushed`, () => expectPush({ member, socket }))
  report.expect(
    `${name}: a document of 5.5 MiB`,
    (await upload(member, 5.5 * MIB)).slice(0, 3),
    '413',
  )
  report.expect(
    `${name}: a document of 4.75 MiB`,
    await upload(member, 4.75 * MIB),
    '200 Your documents have been submitted and are pending review',
  )
  report.expect(
    `${name}: a failed sign-in with a forged address`,
    (await failedSignIn(url, member.user?.username ?? '')) ?? 0,
    401,
  )
  report.expect(
    `${name}: the log has the address of the client, not the forged one`,
    await loggedAddress(stage, member.user?.id ?? 0),
    CLIENT_ADDRESS,
  )
  return { proxy, member, socket }
}

/** The address in the log line of a member's failed sign-in; the line may follow its answer. */
async function loggedAddress(stage: Stage, memberId: number): Promise<string> {
  const end = Date.now() + LOG_LIMIT_MS
  while (Date.now() < end) {
    const lines = stage.processes.flatMap((one) => one.output().split('\n'))
    const found = lines
      .filter((line) => line.includes('"sign-in failed"') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as { memberId: number; ip: string })
      .find((line) => line.memberId === memberId)
    if (found) return found.ip
    await sleep(50)
  }
  return 'no line'
}

/** What a member saw while gateways restarted. */
export type Seen = { requests: number; failures: string[]; socketsLost: number; awayMs: number }

/** Sends reads and commands until `isRunning` is false, and opens the socket again when it closes. */
export async function stayAround(guest: Guest, isRunning: () => boolean): Promise<Seen> {
  const seen: Seen = { requests: 0, failures: [], socketsLost: 0, awayMs: 0 }
  const reconnecting = keepSocket(guest, seen, isRunning)
  const { member } = guest
  for (let turn = 0; isRunning(); turn++) {
    const command = turn % 4 === 3 ? 'start' : turn % 4 === 1 ? 'stop' : undefined
    const path = command ? `/api/mining/${command}` : '/api/mining/status'
    const headers = { [IDEMPOTENCY_HEADER]: randomUUID() }
    const outcome = await member
      .fetch(path, 0, { method: command ? 'POST' : 'GET', headers })
      .then(async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      })
      .catch((error) => String(error.cause ?? error))
    seen.requests++
    // 409: mining was active or inactive already.
    if (outcome !== 200 && outcome !== 409) seen.failures.push(`${path}: ${outcome}`)
    await sleep(PAUSE_MS)
  }
  await reconnecting
  return seen
}

async function keepSocket(guest: Guest, seen: Seen, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    if (guest.socket.connected) {
      await sleep(20)
      continue
    }
    seen.socketsLost++
    const lostAt = Date.now()
    for (;;) {
      const socket = await guest.member.connected().catch(() => undefined)
      if (socket) {
        guest.socket = socket
        break
      }
      await sleep(50)
    }
    seen.awayMs = Math.max(seen.awayMs, Date.now() - lostAt)
  }
}
