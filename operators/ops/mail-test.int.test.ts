import { expect, it, onTestFinished } from 'vitest'
import { problemOf } from '#operators/ops/mails'
import { operate } from '#operators/ops/testing/operate'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { mailServer } from '#scripts/testing/workers/mail-server'

const product = useProduct()

async function tryWith(smtpUrl: string) {
  const place = { db: product.db, config: { ...product.config, smtpUrl } }
  return operate(place, 'mail test', ['ada@test.example'])
}

async function server() {
  const started = await mailServer()
  onTestFinished(() => started.stop())
  return started
}

it('a test mail is sent at once, and logged without the address', async () => {
  const smtp = await server()
  await smtp.start()
  expect(await tryWith(smtp.url)).toMatch(
    /^The mail server has accepted a mail to ada@test.example/,
  )
  expect(smtp.mails).toHaveLength(1)
  const [action] = await product.db('operator_actions').orderBy('id', 'desc').limit(1)
  expect(action).toMatchObject({ action: 'mail test', details: { domain: 'test.example' } })
})

it('a refused password is named', async () => {
  const smtp = await server()
  smtp.password = 'right'
  await smtp.start()
  const url = smtp.url.replace('//', '//user:wrong@')
  await expect(tryWith(url)).rejects.toThrow(/^The server refuses the user name or the password/)
})

it('a refused mail and a closed port are named', async () => {
  const smtp = await server()
  await expect(tryWith(smtp.url)).rejects.toThrow(/^Nothing accepts connections there/)
  await smtp.start()
  await expect(tryWith(smtp.url.replace('smtp:', 'smtps:'))).rejects.toThrow(/^TLS fails/)
})

it.each([
  [
    { code: 'EDNS', message: 'getaddrinfo ENOTFOUND mail.exmaple' },
    /^DNS knows no such mail server/,
  ],
  [
    { code: 'EENVELOPE', command: 'MAIL FROM', message: '550 no' },
    /^The server refuses the sender/,
  ],
  [
    { code: 'EENVELOPE', command: 'RCPT TO', message: '550 no' },
    /^The server refuses the recipient/,
  ],
  [
    { code: 'ETIMEDOUT', message: 'Greeting never received' },
    /^The server does not answer within 10 s/,
  ],
])('%o is told in words', (error, words) => {
  expect(problemOf(error)).toMatch(words)
})
