import { Redis } from 'ioredis'
import { Client } from 'pg'
import { connect } from '#db/engine/connect'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { mailServer } from '#workers/testing/mail-server'
import { addRole, removeRole } from './database-roles.ts'
import { newSecret, type Rotation } from './rotation.ts'

const MAIL_LIMIT_MS = 30_000

/** Database: a second role, because a role has one password. */
export async function rotateDatabase({ report, stage, roll, adminUrl }: Rotation): Promise<void> {
  const before = String(stage.env.DATABASE_URL)
  const after = await addRole(adminUrl, 'tesp_b', newSecret())
  await roll('DATABASE_URL names a second role', { DATABASE_URL: after })
  // The pool of the trial itself.
  await stage.product.db.destroy()
  stage.product.db = connect(after, { max: 4, name: 'test', statementTimeoutMs: 0 })
  report.expect('connections of the first role', await removeRole(adminUrl, 'tesp_a'), 0)
  const { code } = await new Client({ connectionString: before }).connect().then(
    () => ({ code: 'connected' }),
    (error) => error,
  )
  report.expect('a connection of the first role', code, '28P01')
  await newMember(stage.product)
}

/** Redis: a user has several passwords at a time. */
export async function rotateRedis({ report, stage, roll, redisUrl }: Rotation): Promise<void> {
  const [before, after] = [new URL(redisUrl), new URL(redisUrl)]
  after.password = newSecret()
  const redis = new Redis(redisUrl)
  await redis.acl('SETUSER', 'default', `>${after.password}`)
  await roll('REDIS_URL has the second password', { REDIS_URL: after.href })
  await redis.acl('SETUSER', 'default', `<${before.password}`)
  redis.disconnect()
  const outdated = new Redis(before.href, { retryStrategy: () => null, lazyConnect: true })
  outdated.on('error', () => {})
  const answer = await outdated.ping().catch((error) => String(error.message))
  outdated.disconnect()
  report.expect('a connection with the first password', /WRONGPASS|closed/.test(answer), true)
  await newMember(stage.product)
}

/** SMTP: mails wait while the server rejects the old password. */
export async function rotateMail({ report, stage, roll, defer }: Rotation): Promise<void> {
  const server = await mailServer()
  defer(() => server.stop())
  const urlWith = (password: string) => {
    const url = new URL(server.url)
    Object.assign(url, { username: 'tesp', password })
    return url.href
  }
  const [before, after] = [newSecret(), newSecret()]
  server.password = before
  await server.start()
  const requestCode = async (email: string) => {
    const { status } = await new Visitor(stage.product).call('POST /api/verify/send-otp', {
      body: { email },
    })
    report.expect(`a code for ${email} is requested`, status, 200)
  }
  const arrival = (email: string) =>
    report.step(`the mail to ${email} arrives`, async () => {
      const end = Date.now() + MAIL_LIMIT_MS
      while (!server.mails.some((mail) => mail.includes(email))) {
        if (Date.now() > end) throw new Error('no mail arrived')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
  await roll('SMTP_URL has the first password', { SMTP_URL: urlWith(before) })
  await requestCode('first@test.example')
  await arrival('first@test.example')
  server.password = after
  await requestCode('second@test.example')
  await roll('the server takes only the second password; SMTP_URL has it', {
    SMTP_URL: urlWith(after),
  })
  await arrival('second@test.example')
  const failed = await stage.product
    .db('mails')
    .whereNotNull('failedAt')
    .count('* as count')
    .first()
  report.expect('mails that were given up', Number(failed?.count), 0)
}
