import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { Answers } from '#contract/routes'
import type { AsOf } from '#rules/snapshots'
import { ApiError, callWithHeaders, NOT_MODIFIED } from './api.ts'
import { hasSlept } from './product-clock.ts'
import { queryClient } from './query-client.ts'

/** Reads whose answers carry a tag: asked again, an unchanged one costs a few bytes. */
export type EtagRoute = 'GET /api/mining/status' | 'GET /api/wallet' | 'GET /api/referral/info'

/** The tag of a snapshot, told by its time from those that were pushed since. */
type Tag = { tag: string; asOf: AsOf }

const tags = new Map<string, Tag>()

function isUnchanged(error: unknown): boolean {
  return error instanceof ApiError && error.status === NOT_MODIFIED
}

/**
 * Reads a snapshot with the tag of the known one. Where that still stands it is the answer: as it
 * is known by then, since a push may have come meanwhile.
 */
export async function readWithEtag<R extends EtagRoute>(
  queryKey: QueryKey,
  route: R,
  timeoutMs?: number,
): Promise<Answers[R]> {
  const hash = hashKey(queryKey)
  const known = () => queryClient.getQueryData<Answers[R]>(queryKey)
  const last = tags.get(hash)
  // An answer without a body tells no time, and after a sleep the client has lost count of it.
  const ifNoneMatch = last?.asOf === known()?.asOf && !hasSlept() ? last?.tag : undefined
  try {
    return await readAndTag(hash, route, { ifNoneMatch, timeoutMs })
  } catch (error) {
    if (!isUnchanged(error)) throw error
    // Forgotten meanwhile: an answer without a body is no answer then.
    return known() ?? readAndTag(hash, route, { timeoutMs })
  }
}

type ReadOptions = { ifNoneMatch?: string; timeoutMs?: number }

/** The same call for any of these routes: none of them needs more than a tag. */
const read = callWithHeaders as <R extends EtagRoute>(
  route: R,
  options: ReadOptions,
) => Promise<{ answer: Answers[R]; headers: Headers }>

async function readAndTag<R extends EtagRoute>(hash: string, route: R, options: ReadOptions) {
  const { answer, headers } = await read(route, options)
  const tag = headers.get('ETag')
  if (tag) tags.set(hash, { tag, asOf: answer.asOf })
  return answer
}
