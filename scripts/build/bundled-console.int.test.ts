import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { beginSignIn } from '#operators/actions/operator-sign-ins'
import { acceptInvitation, inviteOperator } from '#operators/actions/operators'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { run } from '#scripts/embedded/run-program'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { roleEnv } from '#scripts/testing/db/role-process'
import { testFolder } from '#scripts/testing/temp-folder'
import { buildCommands, COMMANDS_DIR } from './build-roles.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  await buildCommands()
  fresh = await freshDatabase()
})
afterAll(() => fresh?.close())

/** A folder as the Dockerfile fills it: bundles and the packages that they load. */
async function imageFolder(): Promise<string> {
  const image = testFolder()
  fs.cpSync(path.join(ROOT, COMMANDS_DIR), path.join(image, COMMANDS_DIR), { recursive: true })
  const copy = ['--import', 'tsx', 'scripts/build/bundle/copy-packages.ts', image]
  await run(process.execPath, copy, { cwd: ROOT })
  return image
}

it('the console of the image serves Bull Board with its script, and the queues', async () => {
  const token = await inTransaction(fresh.db, async (tx) => {
    const operator = { name: 'ada', role: 'owner' } as const
    await acceptInvitation(tx, await inviteOperator(tx, fresh.dataKey, operator), '-')
    const ada = await tx('operators').where({ name: 'ada' }).first('id', 'password')
    return beginSignIn(tx, ada, { device: 'a test', network: '127.0.x.x' })
  })
  const port = await freePort()
  const child = spawn(process.execPath, [`${COMMANDS_DIR}/console.mjs`], {
    cwd: await imageFolder(),
    env: {
      ...roleEnv({ ...fresh, databaseUrl: fresh.url }),
      FAST_PASSWORDS: 'off',
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'https://tesp.example',
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'no-reply@tesp.example',
      CONSOLE_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    const board = `http://127.0.0.1:${port}/queues/board`
    const read = (url: string) => fetch(url, { headers: { Cookie: `console=${token}` } })
    const page = await (await read(board)).text()
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
    const answer = await read(new URL(script, `${board}/`).href)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ])
    const { queues } = (await (await read(`${board}/api/queues`)).json()) as {
      queues: { name: string }[]
    }
    expect(queues.map(({ name }) => name)).toContain('send-mail')
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
