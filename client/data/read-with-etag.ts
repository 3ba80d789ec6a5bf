import { hashKey } from '@tanstack/react-query'
import type { Answers } from '#contract/routes'
import type { AsOf } from '#rules/snapshots'
import { ApiError, callWithHeaders, NOT_MODIFIED } from './api.ts'
import { hasSlept } from './product-clock.ts'
import { queryClient } from './query-cache.ts'

/** An unchanged snapshot costs only headers. */
type EtagUrl = '/api/mining/status' | '/api/wallet' | '/api/referral/info' | '/api/inbox/state'

/** `asOf` distinguishes its snapshot from snapshots pushed later. */
const etags = new Map<string, { etag: string; asOf: AsOf }>()

const callUrl = callWithHeaders as <U extends EtagUrl>(
  route: `GET ${U}`,
  options: { ifNoneMatch?: string; timeoutMs?: number },
) => Promise<{ answer: Answers[`GET ${U}`]; headers: Headers }>

/** An unchanged snapshot resolves to the cached one as it is then: a push may have replaced it meanwhile. */
export async function readWithEtag<U extends EtagUrl>(
  queryKey: readonly [U, ...unknown[]],
  timeoutMs?: number,
): Promise<Answers[`GET ${U}`]> {
  const hash = hashKey(queryKey)
  const cached = () => queryClient.getQueryData<Answers[`GET ${U}`]>(queryKey)
  async function read(ifNoneMatch?: string): Promise<Answers[`GET ${U}`]> {
    const { answer, headers } = await callUrl(`GET ${queryKey[0]}`, { ifNoneMatch, timeoutMs })
    const etag = headers.get('ETag')
    if (etag) etags.set(hash, { etag, asOf: answer.asOf })
    return answer
  }
  const known = etags.get(hash)
  // A 304 carries no server time, which the product clock needs after the machine has slept.
  const isUsable = known?.asOf === cached()?.asOf && !hasSlept()
  try {
    return await read(isUsable ? known?.etag : undefined)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === NOT_MODIFIED)) throw error
    // The cache was cleared during the request, and a 304 has no body.
    return cached() ?? read()
  }
}
