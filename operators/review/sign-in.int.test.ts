import { expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { REVIEWER_TRIES, removeReviewer } from '#operators/actions/reviewers'
import { useReviewer } from '#operators/review/testing/use-reviewer'

const reviewer = useReviewer()

it('name, password and one-time code sign a reviewer in, which is logged', async () => {
  const answer = await reviewer.sendSignIn()
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/'])
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^review=[\w-]{43}; path=\/; samesite=strict; httponly$/i,
  )
  expect(await listActions(reviewer.fresh.db, 1)).toMatchObject([
    { action: 'review sign-in', operator: reviewer.name, memberId: null },
  ])
})

it.each<Record<string, string>>([
  { password: 'another password' },
  { code: '000000x' },
  { code: '' },
  { name: 'nobody' },
  { name: '' },
])('a sign-in with %j is refused', async (typed) => {
  const answer = await reviewer.sendSignIn(typed)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
  expect(await answer.text()).toContain('Name, password or code is not right.')
})

it('a one-time code works once, even in parallel', async () => {
  const code = reviewer.currentCode()
  const answers = await Promise.all([1, 2, 3, 4].map(() => reviewer.sendSignIn({ code })))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
})

it('after five wrong tries even the right password and code are refused for 15 minutes', async () => {
  const guesses = Array.from({ length: REVIEWER_TRIES }, (_, n) =>
    reviewer.sendSignIn({ password: `guess ${n}` }),
  )
  await Promise.all(guesses)
  expect((await reviewer.sendSignIn()).status).toBe(401)
  await reviewer.fresh
    .db('reviewers')
    .update({ triedAt: reviewer.fresh.db.raw(`now() - interval '16 minutes'`) })
  expect((await reviewer.sendSignIn()).status).toBe(303)
})

it('a removed reviewer is signed out', async () => {
  await reviewer.signIn()
  expect((await reviewer.get('/')).status).toBe(200)
  await inTransaction(reviewer.fresh.db, (tx) => removeReviewer(tx, reviewer.name))
  expect((await reviewer.get('/')).headers.get('Location')).toBe('/sign-in')
})

it('a sign-out ends the sign-in', async () => {
  await reviewer.signIn()
  await reviewer.post('/sign-out')
  expect((await reviewer.get('/')).headers.get('Location')).toBe('/sign-in')
})
