import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { AVATAR_PRESETS } from '#rules/avatars'
import { AvatarDialog } from './avatar-dialog.tsx'
import * as images from './resize-image.ts'

const small = { url: 'data:image/jpeg;base64,AAAA', width: 300, height: 200, bytes: 9_000 }

async function open(avatar: string | null = null, refused?: Response) {
  const member = aUser({ avatar })
  startAs(member)
  const server = serve({
    'PATCH /api/user/profile': ({ init }) =>
      refused ?? json({ ...member, ...JSON.parse(String(init.body)) }),
  })
  show(<AvatarDialog user={member}>picture</AvatarDialog>)
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: 'Change Profile Picture' }))
  return { user, bodies: () => server.sent.map(({ init }) => init.body) }
}

type Opened = Awaited<ReturnType<typeof open>>

const said = (text: string | RegExp) => screen.findByText(text, { selector: 'ol li *' })
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

async function choose({ user }: Opened, from = 'Choose from Device') {
  await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
  const input = screen.getByLabelText<HTMLInputElement>(from)
  await user.upload(input, new File(['x'], 'me.png', { type: 'image/png' }))
}

afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('choosing an avatar', () => {
  it('offers the nine presets', async () => {
    await open()
    expect(screen.getByRole('dialog', { name: 'Change Profile Picture' })).toBeTruthy()
    const values = screen.getAllByRole<HTMLInputElement>('radio').map(({ value }) => value)
    expect(values).toEqual([...AVATAR_PRESETS])
  })

  it('stands on the one that the member has', async () => {
    await open('preset:comet')
    expect(radio('Comet').checked).toBe(true)
  })

  it('saves it alone, shows it and closes', async () => {
    const { user, bodies } = await open()
    await user.click(radio('Lattice'))
    await user.click(save())
    await said('Avatar updated')
    expect(bodies()).toEqual(['{"avatar":"preset:lattice"}'])
    expect(currentUser()?.avatar).toBe('preset:lattice')
    await closed()
  })

  it('asks for one where none is chosen', async () => {
    const { user, bodies } = await open()
    await user.click(save())
    await said('Please select an avatar')
    await said('You need to select an avatar or upload an image from your device')
    expect(bodies()).toEqual([])
  })

  it('repeats why the server refused, and stays open', async () => {
    const { user } = await open(null, refusal(400, 'The image is too large'))
    await user.click(radio('Ember'))
    await user.click(save())
    await said('Failed to update avatar')
    await said('The image is too large')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(currentUser()?.avatar).toBeNull()
  })
})

describe('uploading an image', () => {
  it('cannot be saved before there is one', async () => {
    const { user } = await open('preset:comet')
    await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
    expect(save().disabled).toBe(true)
  })

  it.each(['Take Photo', 'Choose from Device'])('saves what %s made', async (from) => {
    vi.spyOn(images, 'resizeImage').mockResolvedValue(small)
    const opened = await open()
    await choose(opened, from)
    expect(await screen.findByText('300 × 200 · 9 KiB')).toBeTruthy()
    await opened.user.click(save())
    await said('Avatar updated')
    expect(opened.bodies()).toEqual([`{"avatar":"${small.url}"}`])
  })

  it('opens the camera for a photo alone', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('tab', { name: 'Upload Image' }))
    expect(screen.getByLabelText('Take Photo').getAttribute('capture')).toBe('user')
    expect(screen.getByLabelText('Choose from Device').hasAttribute('capture')).toBe(false)
  })

  it('asks for another image where this one cannot be processed', async () => {
    vi.spyOn(images, 'resizeImage').mockRejectedValue(new Error('Could not get canvas context'))
    await choose(await open())
    await said('Error optimizing image')
    await said('Please try with a different image')
    expect(save().disabled).toBe(true)
  })

  it('says that an image stays too large', async () => {
    vi.spyOn(images, 'resizeImage').mockRejectedValue(new images.ImageTooLarge())
    await choose(await open())
    await said(/above 100 KiB\. Please try with a different image/)
  })
})
