import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveUploads } from '#client/testing/uploads.ts'
import { ApiError } from './api.ts'
import { upload } from './upload.ts'

afterEach(() => vi.unstubAllGlobals())

function start() {
  const newest = serveUploads()
  const seen: number[] = []
  const form = new FormData()
  const answered = upload('POST /api/user/kyc', form, (fraction) => seen.push(fraction))
  return { request: newest(), answered, seen, form }
}

describe('an upload', () => {
  it('sends the form with the cookies to its route and resolves to the answer', async () => {
    const { request, answered, form } = start()
    expect(request).toMatchObject({ route: 'POST /api/user/kyc', withCredentials: true, form })
    request.answer(200, { success: true, message: '', kycStatus: 'pending' })
    expect(await answered).toEqual({ success: true, message: '', kycStatus: 'pending' })
  })

  it('tells how much of it has left', () => {
    const { request, seen } = start()
    request.progress(1, 4)
    request.progress(4, 4)
    expect(seen).toEqual([0.25, 1])
  })

  it('keeps quiet while the size is unknown', () => {
    const { request, seen } = start()
    request.progress(7, 0)
    expect(seen).toEqual([])
  })

  it('fails with what the server said', async () => {
    const { request, answered } = start()
    request.answer(413, { message: 'The document must not be larger than 5 MB' })
    const error = await answered.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 413,
      answer: { message: 'The document must not be larger than 5 MB' },
    })
  })

  it.each(['onerror', 'ontimeout'] as const)('is lost by %s', async (how) => {
    const { request, answered } = start()
    request[how]?.()
    await expect(answered).rejects.toBeInstanceOf(TypeError)
  })

  it('is lost where a page of somebody else answers', async () => {
    const { request, answered } = start()
    request.answer(200, '<html>Please log in to the Wi-Fi</html>')
    await expect(answered).rejects.toBeInstanceOf(TypeError)
  })
})
