import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveUploads } from '#client/testing/uploads.ts'
import { ApiError } from './api.ts'
import { upload } from './upload.ts'

afterEach(() => vi.unstubAllGlobals())

function start() {
  const newest = serveUploads()
  const fractions: number[] = []
  const form = new FormData()
  const answered = upload('POST /api/user/kyc', form, 'a-key', (fraction) =>
    fractions.push(fraction),
  )
  return { request: newest(), answered, fractions, form }
}

describe('upload', () => {
  it('an upload sends the form with cookies and resolves to the answer', async () => {
    const { request, answered, form } = start()
    expect(request).toMatchObject({ route: 'POST /api/user/kyc', withCredentials: true, form })
    request.answer(200, { success: true, message: '', kycStatus: 'pending' })
    expect(await answered).toEqual({ success: true, message: '', kycStatus: 'pending' })
  })

  it('an upload reports the fraction that has been sent', () => {
    const { request, fractions } = start()
    request.progress(1, 4)
    request.progress(4, 4)
    expect(fractions).toEqual([0.25, 1])
  })

  it('an upload of unknown size reports no progress', () => {
    const { request, fractions } = start()
    request.progress(7, 0)
    expect(fractions).toEqual([])
  })

  it('a rejected upload fails with the answer of the server', async () => {
    const { request, answered } = start()
    request.answer(413, { message: 'The document must not be larger than 5 MB' })
    const error = await answered.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 413,
      answer: { message: 'The document must not be larger than 5 MB' },
    })
  })

  it.each(['onerror', 'ontimeout'] as const)('an upload is lost by %s', async (event) => {
    const { request, answered } = start()
    request[event]?.()
    await expect(answered).rejects.toBeInstanceOf(TypeError)
  })

  it('an upload answered by a captive portal is lost', async () => {
    const { request, answered } = start()
    request.answer(200, '<html>Please log in to the Wi-Fi</html>')
    await expect(answered).rejects.toBeInstanceOf(TypeError)
  })
})
