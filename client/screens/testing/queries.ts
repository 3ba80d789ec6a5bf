import { act } from '@testing-library/react'
import { expect } from 'vitest'
import { queryClient } from '#client/data/query-cache.ts'
import { eventually } from '#client/testing/eventually.ts'

/** Resolves after the query client has notified the atoms, which it does in a 0 ms timer. */
export async function queriesNotified(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
}

/** Waits until no query is being fetched. */
export const queriesSettled = (): Promise<void> =>
  act(async () => {
    await eventually(() => expect(queryClient.isFetching()).toBe(0))
    await queriesNotified()
  })
