import { expect, it, onTestFinished } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { mailServer } from '#scripts/testing/workers/mail-server'

const product = useProduct()

type Finding = { check: string; result: string; says: string; do: string | null }
let printed = ''

/** Findings by check; `operate` rejects if one is wrong. */
async function examine(change: Partial<typeof product.config> = {}) {
  const lines: string[] = []
  const place = { db: product.db, config: { ...product.config, ...change } }
  const outcome = await operate(place, 'doctor', [], { json: true }, (text) =>
    lines.push(text),
  ).catch(String)
  printed = lines.join('\n')
  const findings: Finding[] = JSON.parse(printed)
  return { outcome, of: (name: string) => findings.find(({ check }) => check === name) }
}

it('a sound product has no wrong finding', async () => {
  const server = await mailServer()
  await server.start()
  onTestFinished(() => server.stop())
  const { of } = await examine({ smtpUrl: server.url })
  for (const name of ['database', 'schema', 'clock', 'workers', 'mail']) {
    expect(of(name), name).toMatchObject({ result: 'ok', do: null })
  }
})

it('a missing migration, a refused mail server and an unreachable origin are named with what to do', async () => {
  const [{ name }] = await product.db('knex_migrations').orderBy('name', 'desc').limit(1)
  await product.db('knex_migrations').where({ name }).delete()
  const { outcome, of } = await examine({
    smtpUrl: 'smtp://127.0.0.1:1',
    publicOrigins: ['http://127.0.0.1:1'],
  })
  await product.db('knex_migrations').insert({ name, batch: 1 })
  expect(outcome).toContain('doctor found something wrong')
  expect(of('schema')).toMatchObject({
    result: 'wrong',
    says: `lacks ${name}`,
    do: 'npm run migrate',
  })
  expect(of('mail')?.says).toMatch(/^Nothing accepts connections there/)
  expect(of('proxy')).toMatchObject({ result: 'wrong' })
})
