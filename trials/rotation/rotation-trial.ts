import path from 'node:path'
import { migrate } from '#db/migrations/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { startEmbedded } from '#scripts/embedded/servers'
import { SPEED } from '#trials/kit/checks'
import { startLoad } from '#trials/kit/load'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { addRole, createOwner } from './database-roles.ts'
import { rotateDataKey } from './rotate-data-key.ts'
import { rotateDatabase, rotateMail, rotateRedis } from './rotate-servers.ts'
import { rotateSessionKey } from './rotate-session-key.ts'
import { newSecret, type Rotation } from './rotation.ts'

const MEMBERS = 6

/**
 * Changes each secret of a running product by rolling restarts while members send commands, and
 * checks that no member is signed out and no request fails.
 */
export async function tryRotation({ report, folder, defer }: Trial): Promise<void> {
  const dataDir = path.join(folder, 'servers')
  const servers = await startEmbedded({ dataDir, durable: false, log: console.error })
  defer(() => servers.stop())
  const { databaseUrl, redisUrl } = servers
  await createOwner(databaseUrl)
  const url = await addRole(databaseUrl, 'tesp_a', newSecret())
  await migrate(url)
  const secrets = {
    ...developmentSecrets(folder),
    SESSION_KEYS: newSecret(),
    DATA_KEY: newSecret('base64'),
  }
  const place = { url, redisUrl, redisPrefix: 'rotation' }
  const stage = await Stage.start(place, { workers: 1, speed: SPEED, secrets })
  defer(() => stage.stop())
  const load = await startLoad(stage.product, MEMBERS, 23)
  const { tally } = load
  const roll = (step: string, change: NodeJS.ProcessEnv) =>
    report.step(step, () => stage.roll(change))
  const rotation: Rotation = { report, stage, roll, adminUrl: databaseUrl, redisUrl, defer }

  const steps = [rotateSessionKey, rotateDataKey, rotateDatabase, rotateRedis, rotateMail]
  for (const step of steps) await step(rotation)

  const problems = await load.stop()
  const signedOut = Object.entries(tally.responses).filter(([response]) => /^401 /.test(response))
  const answers = Object.values(tally.responses).reduce((sum, count) => sum + count, 0)
  report.fact('answers to members during the trial', answers)
  report.fact('requests repeated because a gateway restarted', tally.lost + tally.unavailable)
  report.expect('answers 401 to members who send requests', signedOut.length, 0)
  report.check('failed requests, violated rules of the audit', problems)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}
