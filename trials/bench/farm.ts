import type { ErrorAnswer } from '#contract/routes'
import { solvedProof } from '#scripts/testing/gateway/solved-proof'
import { type BenchOptions, type PartResult, rowsOf } from './result.ts'
import { ORIGIN, startRole } from './role.ts'
import { benchServers } from './servers.ts'

const CODES = 1_000
/** Requests that a bot has under way. */
const PARALLEL = 8

/** The IP address that asks for the n-th code. */
const BOTS: Record<string, (n: number) => string> = {
  'one address': () => '203.0.113.7',
  '250 addresses of one network': (n) => `198.51.100.${n % 250}`,
  '1,000 addresses in 1,000 networks': (n) => `10.${Math.floor(n / 200)}.${n % 200}.1`,
}

/** With this limit no code costs work. */
const WITHOUT_WORK = { OTP_PER_ADDRESS_HOUR: '1000000' }

/** Asks for codes for other addresses, with the proofs that the gateway wants, until all are sent or the time is over. */
async function runBot(url: string, name: string, run: string, seconds: number): Promise<number> {
  let codes = 0
  const ipOf = BOTS[name] ?? (() => '')
  const end = performance.now() + seconds * 1_000
  let next = 0
  const ask = async (n: number, proof?: string): Promise<void> => {
    const response = await fetch(`${url}/api/verify/send-otp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: ORIGIN, 'X-Forwarded-For': ipOf(n) },
      body: JSON.stringify({ email: `${run}-${n}@tesp.example`, proof }),
    })
    if (response.ok) codes++
    const { challenge } = (await response.json()) as ErrorAnswer
    if (!challenge || performance.now() > end) return
    await ask(n, await solvedProof(challenge))
  }
  const work = async () => {
    while (next < CODES && performance.now() < end) await ask(next++)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return codes
}

/** Codes that a farm of mailboxes gets out of a gateway in a minute, without and with proofs of work. */
export async function measureFarm({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const seconds = quick ? 5 : 60
  const servers = await benchServers()
  const codes: Record<string, number[]> = {}
  const cpu: Record<string, number[]> = {}
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const [side, limit] of Object.entries({ without: WITHOUT_WORK, with: {} })) {
        for (const name of Object.keys(BOTS)) {
          const prefix = `farm-${round}-${side}-${Object.keys(BOTS).indexOf(name)}`
          const env = { ...limit, TRUSTED_PROXIES: '127.0.0.1', REDIS_PREFIX: prefix }
          const gateway = await startRole('gateway', servers, { env })
          const before = process.cpuUsage()
          const sent = await runBot(gateway.url, name, prefix, seconds)
          const { user, system } = process.cpuUsage(before)
          await gateway.stop()
          const label = `${name}, ${side} proof of work`
          codes[label] = [...(codes[label] ?? []), sent]
          cpu[label] = [...(cpu[label] ?? []), (user + system) / 1e3 / Math.max(1, sent)]
          log(`${label}: ${sent} codes`)
        }
      }
    }
  } finally {
    await servers.stop()
  }
  return {
    title: 'Codes for a farm of mailboxes',
    tables: [
      {
        title: `Codes in ${seconds} s, of ${CODES}`,
        unit: 'codes',
        higherIsBetter: false,
        rows: rowsOf(codes),
      },
      { title: 'CPU time of the bot', unit: 'ms a code', higherIsBetter: true, rows: rowsOf(cpu) },
    ],
    notes: [
      `A bot with ${PARALLEL} requests under way, in one process beside the gateway and the servers; each code is for another mailbox.`,
      'Without proof of work the limit of codes for an address is set out of reach, as nothing else would bound the bot.',
    ],
  }
}
