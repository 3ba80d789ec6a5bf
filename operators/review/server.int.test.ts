import { expect, it } from 'vitest'
import { useReviewer } from '#operators/review/testing/use-reviewer'
import { testConfig } from '#scripts/testing/db/database'
import { startReview } from './server.ts'

const reviewer = useReviewer()

it('the page of reviewers listens beyond this machine only if a host is set', async () => {
  const config = testConfig(reviewer.fresh)
  const ofContainer = await startReview({ config, redisUrl: undefined, port: 0, host: '0.0.0.0' })
  /** 127.0.0.2 reaches a server that listens on every address. */
  const elsewhere = (origin: string, path: string) =>
    fetch(`${origin.replace('127.0.0.1', '127.0.0.2')}${path}`).then(({ status }) => status)
  try {
    await expect(elsewhere(reviewer.origin, '/readyz')).rejects.toThrow()
    expect(await elsewhere(ofContainer.origin, '/readyz')).toBe(200)
    expect(await elsewhere(ofContainer.origin, '/sign-in')).toBe(421)
  } finally {
    await ofContainer.close()
  }
})

it.each(['http://review.tesp.example', 'ftp://127.0.0.1', 'https://a.example/path', 'x'])(
  'the origin %s is refused',
  async (origin) => {
    const config = testConfig(reviewer.fresh)
    await expect(startReview({ config, redisUrl: undefined, port: 0, origin })).rejects.toThrow(
      'REVIEW_ORIGIN',
    )
  },
)
