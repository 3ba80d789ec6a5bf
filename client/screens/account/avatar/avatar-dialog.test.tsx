import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { ChangeAvatarButton } from '#client/screens/account/account-screen.tsx'
import { decodesTo, drawsTo, failsToDecode } from '#client/screens/testing/fake-canvas.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { AVATAR_BYTES, AVATAR_PRESETS } from '#rules/members/avatars'

async function open(avatar: string | null = null, refused?: Response) {
  const member = aUser({ avatar })
  startAs(member)
  const server = serve({
    'PATCH /api/user/profile': ({ init }) =>
      refused ?? json({ ...member, ...JSON.parse(String(init.body)) }),
  })
  show(<ChangeAvatarButton user={member} />)
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: 'Change Profile Picture' }))
  await screen.findByRole('dialog')
  return { user, bodies: () => server.sent.map(({ init }) => init.body) }
}

type Opened = Awaited<ReturnType<typeof open>>

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const dialogClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

async function choose({ user }: Opened, from = 'Choose from Device') {
  await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
  const input = await screen.findByLabelText<HTMLInputElement>(from)
  await user.upload(input, new File(['x'], 'me.png', { type: 'image/png' }))
}

afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('preset avatars', () => {
  it('the avatar dialog offers the nine presets', async () => {
    await open()
    expect(screen.getByRole('dialog', { name: 'Change Profile Picture' })).toBeTruthy()
    const values = screen.getAllByRole<HTMLInputElement>('radio').map(({ value }) => value)
    expect(values).toEqual([...AVATAR_PRESETS])
  })

  it("the member's current preset is selected", async () => {
    await open('preset:comet')
    expect(radio('Comet').checked).toBe(true)
  })

  it('a chosen preset is saved without the rest of the profile and closes the dialog', async () => {
    const { user, bodies } = await open()
    await user.click(radio('Lattice'))
    await user.click(save())
    await findToast('Avatar updated')
    expect(bodies()).toEqual(['{"avatar":"preset:lattice"}'])
    expect(currentUser()?.avatar).toBe('preset:lattice')
    await dialogClosed()
  })

  it('Save without a chosen avatar shows an error and sends nothing', async () => {
    const { user, bodies } = await open()
    await user.click(save())
    await findToast('Please select an avatar')
    await findToast('You need to select an avatar or upload an image from your device')
    expect(bodies()).toEqual([])
  })

  it('a rejected avatar shows the server message and keeps the dialog open', async () => {
    const { user } = await open(null, refusal(400, 'The image is too large'))
    await user.click(radio('Ember'))
    await user.click(save())
    await findToast('Failed to update avatar')
    await findToast('The image is too large')
    await waitFor(() => expect(isDisabled(save())).toBe(false))
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(currentUser()?.avatar).toBeNull()
  })
})

describe('uploaded avatars', () => {
  it('Save stays disabled until an image is uploaded', async () => {
    const { user } = await open('preset:comet')
    await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
    await waitFor(() => expect(save().disabled).toBe(true))
  })

  it.each(['Take Photo', 'Choose from Device'])(
    'an image from %s is resized and saved',
    async (from) => {
      decodesTo(1_200, 800)
      const { url } = drawsTo(9_000)
      const opened = await open()
      await choose(opened, from)
      expect(await screen.findByText('300 × 200 · 9 KiB')).toBeTruthy()
      await opened.user.click(save())
      await findToast('Avatar updated')
      expect(opened.bodies()).toEqual([`{"avatar":"${url}"}`])
    },
  )

  it('only Take Photo opens the camera', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
    const photo = await screen.findByLabelText('Take Photo')
    expect(photo.getAttribute('capture')).toBe('user')
    expect(screen.getByLabelText('Choose from Device').hasAttribute('capture')).toBe(false)
  })

  it('an image that cannot be decoded is rejected', async () => {
    failsToDecode()
    await choose(await open())
    await findToast('Error optimizing image')
    await findToast('Please try with a different image')
    expect(save().disabled).toBe(true)
  })

  it('an image above 100 KiB after resizing is rejected', async () => {
    decodesTo(300, 300)
    drawsTo(AVATAR_BYTES + 1)
    await choose(await open())
    await findToast(/above 100 KiB\. Please try with a different image/)
  })
})
