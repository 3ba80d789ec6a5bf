import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { Answers } from '#contract/routes'
import type { AsOf } from '#rules/snapshots'
import { ApiError, callWithHeaders, NOT_MODIFIED } from './api.ts'
import { hasSlept } from './product-clock.ts'
import { queryClient } from './query-cache.ts'

/** An unchanged snapshot costs only headers. */
type EtagRoute =
  | 'GET /api/mining/status'
  | 'GET /api/wallet'
  | 'GET /api/referral/info'
  | 'GET /api/inbox/state'

/** `asOf` distinguishes its snapshot from snapshots pushed later. */
type KnownEtag = { etag: string; asOf: AsOf }

const etags = new Map<string, KnownEtag>()

function isNotModified(error: unknown): boolean {
  return error instanceof ApiError && error.status === NOT_MODIFIED
}

/** An unchanged snapshot resolves to the cached one as it is then: a push may have replaced it meanwhile. */
export async function readWithEtag<R extends EtagRoute>(
  queryKey: QueryKey,
  route: R,
  timeoutMs?: number,
): Promise<Answers[R]> {
  const hash = hashKey(queryKey)
  const cached = () => queryClient.getQueryData<Answers[R]>(queryKey)
  const known = etags.get(hash)
  // A 304 carries no server time, which the product clock needs after the machine has slept.
  const ifNoneMatch = known?.asOf === cached()?.asOf && !hasSlept() ? known?.etag : undefined
  try {
    return await readAndRemember(hash, route, { ifNoneMatch, timeoutMs })
  } catch (error) {
    if (!isNotModified(error)) throw error
    // The cache was cleared during the request, and a 304 has no body.
    return cached() ?? readAndRemember(hash, route, { timeoutMs })
  }
}

type ReadOptions = { ifNoneMatch?: string; timeoutMs?: number }

const read = callWithHeaders as <R extends EtagRoute>(
  route: R,
  options: ReadOptions,
) => Promise<{ answer: Answers[R]; headers: Headers }>

async function readAndRemember<R extends EtagRoute>(hash: string, route: R, options: ReadOptions) {
  const { answer, headers } = await read(route, options)
  const etag = headers.get('ETag')
  if (etag) etags.set(hash, { etag, asOf: answer.asOf })
  return answer
}
