import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useAtomValue } from 'jotai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commandsAtom } from '#client/commands/commands.ts'
import { userAtom } from '#client/data/member-data.ts'
import { APP_INFO_URL, queryClient, store } from '#client/data/query-cache.ts'
import { serverAnswered } from '#client/live/connection-state.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { queriesNotified } from '#client/screens/testing/queries.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { serveUploads } from '#client/testing/uploads.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { DOCUMENT_BYTES } from '#contract/forms/document'
import type { IdentityCheck, User } from '#rules/members/account-snapshots'
import { uploadDefinition } from './kyc-commands.ts'
import { KycPanel } from './kyc-panel.tsx'

function Panel() {
  const { data: user } = useAtomValue(userAtom)
  return user && <KycPanel user={user} />
}

const noRejection: IdentityCheck = { retentionDays: 30, rejection: null }

async function open(member: Partial<User> = {}, check = noRejection) {
  startAs(aUser(member))
  await queriesNotified()
  serve({
    'GET /api/user': () => json(aUser(member)),
    'GET /api/user/kyc': () => json(check),
    'GET /api/app': () => json({ flags: [], links: { support: 'https://help.tesp.example/' } }),
  })
  const upload = serveUploads()
  show(<Panel />)
  return { upload, user: userEvent.setup({ delay: null, applyAccept: false }) }
}

type Opened = Awaited<ReturnType<typeof open>>

const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit Verification' })
const typeField = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Document Type' })
const passport = new File(['%PDF-1.7'], 'passport.pdf', { type: 'application/pdf' })

const chooseFile = ({ user }: Opened, file: File) =>
  user.upload(screen.getByLabelText<HTMLInputElement>('Choose File'), file)

async function send(opened: Opened) {
  await opened.user.selectOptions(typeField(), 'Passport')
  await chooseFile(opened, passport)
  await opened.user.click(submit())
  await waitFor(() => expect(opened.upload().form).toBeTruthy())
  return opened.upload()
}

afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
})

describe('identity verification', () => {
  it.each([
    ['pending', 'Pending'],
    ['verified', 'Verified'],
  ] as const)('a %s verification shows its status and no form', async (kycStatus, badge) => {
    await open({ kycStatus, kycDocumentType: 'idCard' })
    expect(screen.getByText(badge)).toBeTruthy()
    expect(screen.getByText('National ID Card')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Submit Verification' })).toBeNull()
  })

  it.each([
    [30, 'deleted 30 days after the decision'],
    [1, 'deleted 1 day after the decision'],
    [0, 'deleted as soon as it is decided on'],
  ])('with a retention of %i days the panel says "%s"', async (retentionDays, text) => {
    await open({}, { retentionDays, rejection: null })
    expect(await screen.findByText(new RegExp(text))).toBeTruthy()
  })

  it('a rejected document shows its reason and date above the form', async () => {
    const decidedAt = '2026-03-04T12:00:00.000Z'
    const rejection = { reason: 'The picture is blurred', decidedAt }
    await open({ kycDocumentType: 'passport' }, { retentionDays: 30, rejection })
    const note = await screen.findByRole('region', { name: 'Last decision' })
    expect(note.textContent).toContain('Your document was not accepted on')
    expect(note.querySelector('time')?.dateTime).toBe(decidedAt)
    expect(note.textContent).toContain('The picture is blurred')
    expect(note.textContent).toContain('To try again, submit a new document below.')
    expect(screen.getByText('Unverified')).toBeTruthy()
    expect(submit()).toBeTruthy()
  })

  it('the panel of a rejected document shows the way to help', async () => {
    queryClient.removeQueries({ queryKey: [APP_INFO_URL] })
    const rejection = { reason: 'blurred', decidedAt: '2026-03-04T12:00:00.000Z' }
    await open({}, { retentionDays: 30, rejection })
    const support = await screen.findByRole('link', { name: 'Contact support' })
    expect(support.getAttribute('href')).toBe('https://help.tesp.example/')
  })

  it('a pending verification shows no earlier rejection', async () => {
    const rejection = { reason: 'blurred', decidedAt: '2026-03-04T12:00:00.000Z' }
    await open({ kycStatus: 'pending' }, { retentionDays: 30, rejection })
    await act(queriesNotified)
    expect(screen.queryByRole('region', { name: 'Last decision' })).toBeNull()
  })

  it('a decision replaces a pending verification at the next poll, with its reason', async () => {
    await open({ kycStatus: 'pending' })
    await screen.findByText('Pending')
    const rejection = { reason: 'The picture is blurred', decidedAt: '2026-03-04T12:00:00.000Z' }
    serve({
      'GET /api/user': () => json(aUser()),
      'GET /api/user/kyc': () => json({ retentionDays: 30, rejection }),
    })
    act(serverAnswered)
    expect(await screen.findByText('The picture is blurred')).toBeTruthy()
    expect(screen.getByText('Unverified')).toBeTruthy()
  })

  it('Submit Verification stays disabled until a document is chosen', async () => {
    const opened = await open()
    expect(isDisabled(submit())).toBe(true)
    await chooseFile(opened, passport)
    expect(await screen.findByText('passport.pdf')).toBeTruthy()
    expect(isDisabled(submit())).toBe(false)
  })

  it('the file chooser accepts JPG, PNG and PDF files', async () => {
    await open()
    const accept = screen.getByLabelText<HTMLInputElement>('Choose File').accept.split(',')
    expect(accept).toEqual(expect.arrayContaining(['image/jpeg', 'image/png', 'application/pdf']))
    expect(accept.every((kind) => /jpe?g|png|pdf/.test(kind))).toBe(true)
  })

  it('the form offers three document types and requires one', async () => {
    const opened = await open()
    await chooseFile(opened, passport)
    await opened.user.click(submit())
    expect(await screen.findByText('Please select a document type')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(typeField()))
    const options = [...typeField().options].filter((option) => !option.disabled)
    expect(options.map((option) => option.textContent)).toEqual([
      'National ID Card',
      'Passport',
      'Driving License',
    ])
    await opened.user.selectOptions(typeField(), 'Driving License')
    await waitFor(() => expect(screen.queryByText('Please select a document type')).toBeNull())
    expect(typeField().selectedOptions[0]?.textContent).toBe('Driving License')
  })

  it('an untouched form names the choice, and asks for it once the field is left', async () => {
    const { user } = await open()
    expect(typeField().selectedOptions[0]?.textContent).toBe('Select a document type')
    act(() => typeField().focus())
    await user.tab()
    const note = await screen.findByText('Please select a document type')
    expect(typeField().getAttribute('aria-describedby')).toBe(note.parentElement?.id)
  })

  it.each([
    [
      'more than 5 MB',
      new File([new Uint8Array(DOCUMENT_BYTES + 1)], 'big.png', { type: 'image/png' }),
      'The document must not be larger than 5 MB',
    ],
    [
      'another file type',
      new File(['x'], 'note.txt', { type: 'text/plain' }),
      'The document must be a JPG, PNG or PDF file',
    ],
  ])('a document of %s is rejected', async (_, file, problem) => {
    await chooseFile(await open(), file)
    expect(await screen.findByText(problem)).toBeTruthy()
    expect(isDisabled(submit())).toBe(true)
  })

  it('an upload shows its progress, then the pending status', async () => {
    const request = await send(await open())
    expect(request.route).toBe('POST /api/user/kyc')
    expect(request.form?.get('documentType')).toBe('passport')
    expect(request.form?.get('document')).toMatchObject({ name: 'passport.pdf' })
    act(() => request.progress(40, 100))
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    expect(isDisabled(submit())).toBe(true)
    act(() => request.answer(200, { success: true, message: '', kycStatus: 'pending' }))
    await findToast('KYC submitted')
    await findToast('Your documents have been submitted and are pending review')
    expect(await screen.findByText('Pending')).toBeTruthy()
    expect(await screen.findByText('Passport')).toBeTruthy()
    expect(document.activeElement).not.toBe(document.body)
  })

  it('a rejected document shows the server message and can be submitted again', async () => {
    const request = await send(await open())
    act(() => request.answer(400, { message: 'The document must be a JPG, PNG or PDF file' }))
    await findToast('Failed to submit KYC')
    await findToast('The document must be a JPG, PNG or PDF file')
    await waitFor(() => expect(isDisabled(submit())).toBe(false))
  })

  it('an upload without an answer waits and is not reported as failed', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const request = await send(await open())
    act(() => request.onerror?.())
    await waitFor(() => expect(store.get(commandsAtom)).toMatchObject([{ state: 'waiting' }]))
    expect(document.body.textContent).not.toContain('Failed to submit')
    vi.restoreAllMocks()
  })

  it('an answer that comes late leaves a decision that was made meanwhile', async () => {
    await open({ kycStatus: 'verified', kycDocumentType: 'passport' })
    const answer = { success: true, message: '', kycStatus: 'pending' } as const
    const input = { documentType: 'passport', fileId: 'lost' } as const
    await act(async () => uploadDefinition.onDone(answer, { input, late: true }))
    await findToast('KYC submitted')
    expect(screen.getByText('Verified')).toBeTruthy()
    expect(screen.queryByText('Pending')).toBeNull()
  })
})
