import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { receiveSnapshot, snapshotOf, walletAtom } from './member-data.ts'
import { CLOCK_SET_BACK_MS, store } from './query-cache.ts'
import { refresh } from './refresh.ts'

afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('snapshots from answers, polls and pushes', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 1, max: 3_000 }),
    changes: fc.boolean(),
    how: fc.constantFrom('push', 'push twice', 'lose the push', 'refresh'),
  })

  it('the newest delivered snapshot wins, whatever is lost, doubled, late or unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 18 }),
        fc.scheduler(),
        async (steps, scheduler) => {
          startAs()
          let now = NOW
          let balance = 0
          const delivered: number[] = []
          const wallet = () => aWallet(`${balance}`, '0', now)
          const deliver = (snapshot: ReturnType<typeof wallet>) =>
            scheduler.schedule(Promise.resolve(snapshot)).then((late) => {
              delivered.push(late.asOf)
              receiveSnapshot('/api/wallet', late)
            })
          serve({
            'GET /api/wallet': async ({ headers }) => {
              const snapshot = wallet()
              const etag = `W/"${balance}"`
              await scheduler.schedule(Promise.resolve())
              if (headers.get('If-None-Match') === etag) return new Response(null, { status: 304 })
              delivered.push(snapshot.asOf)
              return json(snapshot, { ETag: etag })
            },
          })
          const unsubscribe = store.sub(walletAtom, () => {})
          const balances = new Map<number, number>()
          for (const { afterMs, changes, how } of steps) {
            now += afterMs
            if (changes) balance += 1
            balances.set(now, balance)
            if (how === 'refresh') void refresh('/api/wallet')
            else if (how !== 'lose the push') void deliver(wallet())
            if (how === 'push twice') void deliver(wallet())
          }
          await scheduler.waitIdle()
          await settled()
          await scheduler.waitIdle()
          await settled()
          unsubscribe()
          const expected = Math.max(...delivered)
          expect(now - NOW).toBeLessThan(CLOCK_SET_BACK_MS)
          expect(snapshotOf('/api/wallet')?.asOf).toBe(expected)
          const shown = Number(snapshotOf('/api/wallet')?.tesp[0]?.balance)
          expect(shown).toBe(balances.get(expected) ?? 0)
          expect(store.get(walletAtom).data?.asOf).toBe(expected)
        },
      ),
      { numRuns: 60 },
    )
  })
})
