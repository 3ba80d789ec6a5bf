import { UPLOAD_TIMEOUT_MS } from '#contract/forms/document'
import { IDEMPOTENCY_HEADER } from '#contract/headers'
import type { Answers, RouteName } from '#contract/routes'
import { errorOf } from './api.ts'

/**
 * Unlike `fetch` it reports progress.
 * @throws {ApiError} the server rejected the upload
 * @throws {TypeError} no answer arrived: unreachable, cut off or timed out
 */
export function upload<R extends RouteName>(
  route: R,
  form: FormData,
  idempotencyKey: string,
  onProgress: (fraction: number) => void,
): Promise<Answers[R]> {
  const [method = 'POST', path = ''] = route.split(' ')
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const rejectAsLost = () => reject(new TypeError('The upload got no answer'))
    request.open(method, path)
    request.withCredentials = true
    request.timeout = UPLOAD_TIMEOUT_MS
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader(IDEMPOTENCY_HEADER, idempotencyKey)
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    }
    request.onerror = rejectAsLost
    request.onabort = rejectAsLost
    request.ontimeout = rejectAsLost
    request.onload = () => {
      const { status, statusText, responseText } = request
      if (status < 200 || status > 299) {
        const headers = { get: (name: string) => request.getResponseHeader(name) }
        return reject(errorOf({ status, statusText, headers }, responseText))
      }
      try {
        resolve(JSON.parse(responseText) as Answers[R])
      } catch {
        // A captive portal answers 200 with its own page.
        rejectAsLost()
      }
    }
    request.send(form)
  })
}
