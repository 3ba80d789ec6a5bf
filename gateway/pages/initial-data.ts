import type { IncomingMessage } from 'node:http'
import type { FirstReads, InitialData } from '#contract/initial-data'
import { TEAM_PAGE } from '#contract/page-sizes'
import { readInboxStates } from '#db/inbox/inbox'
import { readNetwork } from '#db/ledger/network-counters'
import { memberById, userView } from '#db/members/members'
import { readCompletedTasks, readTasks } from '#db/tasks'
import { readReferralInfo } from '#db/team/team'
import { sessionCookieReader } from '#gateway/auth/session-cookie'
import type { Services } from '#gateway/services/services'
import { orNothing } from '#runtime/or-nothing'

/** Real ms after which a page is sent without data: a slow database must not delay the shell. */
export const READ_LIMIT_MS = 1_000

type Read = (services: Services, memberId: number) => Promise<Partial<FirstReads>>

const readTeam: Read = async ({ db }, memberId) => ({
  '/api/referral/info': await readReferralInfo(db, memberId, TEAM_PAGE),
})

/** What a screen shows first besides the status and the wallet, which every screen reads. */
const READS: Record<string, Read> = {
  '/': readTeam,
  '/mine': readTeam,
  '/team': readTeam,
  '/tasks': async ({ db, config }, memberId) => ({
    '/api/tasks': await readTasks(db, memberId, config.taskLinks),
    '/api/tasks/completed': { completedTasks: await readCompletedTasks(db, memberId) },
  }),
  '/network': async ({ db }) => ({ '/api/network': await readNetwork(db) }),
}

/** Undefined without a valid sign-in, and where Redis or Postgres does not answer in time. */
export function initialDataReader(services: Services) {
  const { config, authSessions, snapshots, db } = services
  const signInNameOf = sessionCookieReader(config)

  async function read(signInName: string, path: string): Promise<InitialData | undefined> {
    const signIn = await authSessions.peek(signInName, Date.now())
    if (signIn?.memberId === undefined) return undefined
    const { memberId, epoch } = signIn
    const snapshot = await snapshots.load(memberId)
    // A sign-in of another epoch has ended.
    if (!snapshot || snapshot.authEpoch !== epoch) return undefined
    const [member, [inbox], more] = await Promise.all([
      memberById(db, memberId),
      readInboxStates(db, [memberId]),
      READS[path]?.(services, memberId),
    ])
    if (!member || member.authEpoch !== epoch) return undefined
    const { mining, wallet } = snapshot
    const answers = {
      '/api/mining/status': mining,
      '/api/wallet': wallet,
      ...(inbox && { '/api/inbox/state': inbox.state }),
      ...more,
    }
    return { user: userView(member), answers }
  }

  return async (request: IncomingMessage, path: string): Promise<InitialData | undefined> => {
    const signInName = signInNameOf(request)
    return signInName === undefined ? undefined : orNothing(read(signInName, path), READ_LIMIT_MS)
  }
}
