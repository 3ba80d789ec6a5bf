import { expect, it } from 'vitest'
import { actionsOf, submit, useReviewer } from '#operators/review/testing/use-reviewer'

const reviewer = useReviewer()

it('no page but the form opens without a sign-in', async () => {
  const { path, userId } = await submit(reviewer.fresh)
  for (const one of ['/', path, `${path}/content`, '/anything']) {
    const answer = await reviewer.get(one)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/sign-in'])
  }
  for (const one of [`${path}/accept`, `${path}/reject`]) {
    expect((await reviewer.post(one, { reason: 'x' })).headers.get('Location')).toBe('/sign-in')
  }
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([])
})

it('forms of other sites and requests for another host are refused', async () => {
  await reviewer.signIn()
  const { id, path } = await submit(reviewer.fresh)
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
    expect((await reviewer.post(`${path}/accept`, { reason: 'x' }, origin)).status).toBe(403)
  }
  const { accepted } = await reviewer.fresh.db('kyc_documents').where({ id }).first('accepted')
  expect(accepted).toBeNull()
  const other = reviewer.origin.replace('127.0.0.1', 'localhost')
  expect((await fetch(`${other}/sign-in`)).status).toBe(421)
})

it('every answer forbids scripts, frames and storing', async () => {
  await reviewer.signIn()
  for (const path of ['/', '/sign-in', '/style.css', '/nothing', '/documents/x']) {
    const { headers } = await reviewer.get(path)
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; .*ancestors 'none'/,
    )
    expect(headers.get('Content-Security-Policy')).not.toMatch(/script|unsafe/)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  }
})

it('texts of members are escaped', async () => {
  const { userId, path } = await submit(reviewer.fresh)
  const fullName = `<img src=x onerror="alert('1')">&`
  await reviewer.fresh.db('users').where({ id: userId }).update({ fullName })
  await reviewer.signIn()
  const text = await (await reviewer.get(path)).text()
  expect(text).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
  expect(text).not.toContain(fullName)
})
