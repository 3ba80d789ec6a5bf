import { URI } from 'otpauth'
import type { Stack } from '#trials/containers/stack'
import type { TrialReport } from '#trials/kit/report'

type Credentials = { name: string; password: string; code: string }

/** Adds a reviewer with the operators' command, as docs/containers.md names it. */
async function addReviewer(stack: Stack): Promise<Credentials> {
  const name = 'ada'
  const args = ['reviewers', 'add', name, '--reason', 'joins the support team', '--yes']
  const printed = await stack.compose('run', '--rm', '-T', 'ops', ...args)
  const [, password = ''] = /^password +(\S+)$/m.exec(printed) ?? []
  const [, uri = ''] = /^authenticator +(\S+)$/m.exec(printed) ?? []
  return { name, password, code: URI.parse(uri).generate() }
}

/** Checks the page of reviewers as a service: its sign-in, and which host names it serves. */
export async function checkReviewer(report: TrialReport, stack: Stack): Promise<void> {
  const origin = `http://127.0.0.1:${stack.project.ports.review}`
  const signIn = (fields: Credentials) =>
    fetch(`${origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: origin },
      body: new URLSearchParams(fields),
    })
  const credentials = await addReviewer(stack)
  const wrong = await signIn({ ...credentials, code: '000000' })
  const right = await signIn(credentials)
  const [cookie = ''] = right.headers.getSetCookie()
  const list = await fetch(origin, { headers: { Cookie: cookie.split(';')[0] ?? '' } })
  const elsewhere = await fetch(origin.replace('127.0.0.1', 'localhost'))
  report.expect('reviewers: sign-in with a wrong code', wrong.status, 401)
  report.expect('reviewers: sign-in with password and code', right.status, 303)
  report.expect(
    'reviewers: list of documents',
    list.url.endsWith('/sign-in') ? 303 : list.status,
    200,
  )
  report.expect('reviewers: page under another host name', elsewhere.status, 421)
}
