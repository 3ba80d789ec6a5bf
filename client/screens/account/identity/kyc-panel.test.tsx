import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useAtomValue } from 'jotai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { userAtom } from '#client/data/member-data.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { serveUploads } from '#client/testing/uploads.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { DOCUMENT_BYTES } from '#contract/forms'
import type { User } from '#rules/snapshots'
import { KycPanel } from './kyc-panel.tsx'

function Panel() {
  const { data: user } = useAtomValue(userAtom)
  return user && <KycPanel user={user} />
}

async function open(member: Partial<User> = {}) {
  startAs(aUser(member))
  // Who is signed in is told to the atoms a moment later.
  await new Promise((resolve) => setTimeout(resolve))
  serve({ 'GET /api/user': () => json(aUser(member)) })
  const upload = serveUploads()
  show(<Panel />)
  return { upload, user: userEvent.setup({ delay: null, applyAccept: false }) }
}

type Opened = Awaited<ReturnType<typeof open>>

const said = (text: string | RegExp) => screen.findByText(text, { selector: 'ol li *' })
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit Verification' })
const passport = new File(['%PDF-1.7'], 'passport.pdf', { type: 'application/pdf' })

const take = ({ user }: Opened, file: File) =>
  user.upload(screen.getByLabelText<HTMLInputElement>('Choose File'), file)

async function chooseType({ user }: Opened, name: string) {
  screen.getByRole('combobox').focus()
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('option', { name }))
}

async function send(opened: Opened) {
  await chooseType(opened, 'Passport')
  await take(opened, passport)
  await opened.user.click(submit())
  await waitFor(() => expect(opened.upload().form).toBeTruthy())
  return opened.upload()
}

afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
})

describe('the identity verification', () => {
  it.each([
    ['pending', 'Pending'],
    ['verified', 'Verified'],
  ] as const)('says what is %s and asks for nothing', async (kycStatus, badge) => {
    await open({ kycStatus, kycDocumentType: 'idCard' })
    expect(screen.getByText(badge)).toBeTruthy()
    expect(screen.getByText('National ID Card')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Submit Verification' })).toBeNull()
  })

  it('cannot be submitted without a document', async () => {
    const opened = await open()
    expect(submit().disabled).toBe(true)
    await take(opened, passport)
    expect(screen.getByText('passport.pdf')).toBeTruthy()
    expect(submit().disabled).toBe(false)
  })

  it('looks for JPG, PNG and PDF files', async () => {
    await open()
    const accept = screen.getByLabelText<HTMLInputElement>('Choose File').accept.split(',')
    expect(accept).toEqual(expect.arrayContaining(['image/jpeg', 'image/png', 'application/pdf']))
    expect(accept.every((kind) => /jpe?g|png|pdf/.test(kind))).toBe(true)
  })

  it('offers three types of documents, and asks for one', async () => {
    const opened = await open()
    await take(opened, passport)
    await opened.user.click(submit())
    expect(await screen.findByText('Please select a document type')).toBeTruthy()
    screen.getByRole('combobox').focus()
    await opened.user.keyboard('{Enter}')
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'National ID Card',
      'Passport',
      'Driving License',
    ])
    await opened.user.click(options[2] as Element)
    await waitFor(() => expect(screen.queryByText('Please select a document type')).toBeNull())
    expect(screen.getByRole('combobox').textContent).toBe('Driving License')
  })

  it.each([
    [
      'more than 5 MB',
      new File([new Uint8Array(DOCUMENT_BYTES + 1)], 'big.png', { type: 'image/png' }),
      'The document must not be larger than 5 MB',
    ],
    [
      'another kind of file',
      new File(['x'], 'note.txt', { type: 'text/plain' }),
      'The document must be a JPG, PNG or PDF file',
    ],
  ])('refuses %s', async (_, file, problem) => {
    await take(await open(), file)
    expect(await screen.findByText(problem)).toBeTruthy()
    expect(submit().disabled).toBe(true)
  })

  it('shows how far the document has got, then that it is pending', async () => {
    const request = await send(await open())
    expect(request.route).toBe('POST /api/user/kyc')
    expect(request.form?.get('documentType')).toBe('passport')
    expect(request.form?.get('document')).toMatchObject({ name: 'passport.pdf' })
    act(() => request.progress(40, 100))
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    expect(submit().disabled).toBe(true)
    act(() => request.answer(200, { success: true, message: '', kycStatus: 'pending' }))
    await said('KYC submitted')
    await said('Your documents have been submitted and are pending review')
    expect(screen.getByText('Pending')).toBeTruthy()
    expect(screen.getByText('Passport')).toBeTruthy()
  })

  it('repeats why the server refused, and can be tried again', async () => {
    const request = await send(await open())
    act(() => request.answer(400, { message: 'The document must be a JPG, PNG or PDF file' }))
    await said('Failed to submit KYC')
    await said('The document must be a JPG, PNG or PDF file')
    expect(submit().disabled).toBe(false)
  })

  it('has words of its own where nobody answers', async () => {
    const request = await send(await open())
    act(() => request.onerror?.())
    await said('Failed to submit KYC documents')
  })
})
