import { useSyncExternalStore } from 'react'
import { queryClient } from '#client/data/cache/query-client.ts'
import { cachedTeam } from '#client/data/referral-info.ts'
import { readyMilestones } from '#rules/money/milestones'

const subscribe = (listener: () => void) => queryClient.getQueryCache().subscribe(listener)

function isReady(): boolean {
  const team = cachedTeam()
  return team !== undefined && readyMilestones(team).length > 0
}

/** Whether the cached team has a milestone to be paid. Reads the cache only, never the server. */
export const useMilestoneReady = (): boolean => useSyncExternalStore(subscribe, isReady, isReady)
