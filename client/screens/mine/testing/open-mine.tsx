import { receiveSnapshot } from '#client/data/member-data.ts'
import { setProductClock } from '#client/data/product-clock.ts'
import { MainRegion } from '#client/layout/page.tsx'
import { MineScreen } from '#client/screens/mine/mine-screen.tsx'
import { NOW } from '#client/testing/fixtures.ts'
import { show } from '#client/testing/render.tsx'
import { DAY_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

/** Renders the dashboard with this status; a clock that an earlier test set ahead is set back. */
export function openMine(status: MiningStatus): void {
  setProductClock({ serverNow: new Date(NOW - DAY_MS).toISOString(), speed: 1 })
  receiveSnapshot('/api/mining/status', status)
  show(
    <MainRegion>
      <MineScreen />
    </MainRegion>,
  )
}
