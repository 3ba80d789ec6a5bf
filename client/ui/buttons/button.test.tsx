import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { FormEvent } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Button } from './button.tsx'

const button = () => screen.getByRole<HTMLButtonElement>('button')

describe('button', () => {
  it('a busy button ignores clicks and sets aria-busy', async () => {
    const onClick = vi.fn()
    render(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    )
    await userEvent.click(button())
    expect(onClick).not.toHaveBeenCalled()
    expect(button().getAttribute('aria-busy')).toBe('true')
    expect(screen.getByText('Save')).toBeTruthy()
  })

  it('a button is busy until its press has ended', async () => {
    const press = vi.fn<() => Promise<void>>()
    let end = () => {}
    press.mockReturnValue(
      new Promise((resolve) => {
        end = resolve
      }),
    )
    render(<Button onPress={press}>Save</Button>)
    await userEvent.click(button())
    expect(button().getAttribute('aria-busy')).toBe('true')
    end()
    await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull())
  })

  it('a button with a busy label keeps its width', () => {
    const { rerender } = render(<Button busyLabel="Claiming...">Claim Rewards</Button>)
    expect(screen.getByText('Claiming...').className).toContain('invisible')
    rerender(
      <Button busy busyLabel="Claiming...">
        Claim Rewards
      </Button>,
    )
    expect(screen.getByText('Claim Rewards').className).toContain('invisible')
    expect(screen.getByText('Claiming...').className).not.toContain('invisible')
  })

  it('the spinner of a button with a busy label turns only while it is visible', () => {
    const turning = () => document.querySelectorAll('.animate-spin').length
    const { rerender } = render(<Button busyLabel="Claiming...">Claim Rewards</Button>)
    expect(turning()).toBe(0)
    rerender(
      <Button busy busyLabel="Claiming...">
        Claim Rewards
      </Button>,
    )
    expect(turning()).toBe(1)
  })

  it('a focused button that becomes disabled keeps the focus and ignores clicks', async () => {
    const onClick = vi.fn()
    const { rerender } = render(<Button onClick={onClick}>Save</Button>)
    await userEvent.click(button())
    for (const state of [{ busy: true }, { disabled: true }]) {
      rerender(
        <Button onClick={onClick} {...state}>
          Save
        </Button>,
      )
      expect(button().disabled).toBe(false)
      expect(button().getAttribute('aria-disabled')).toBe('true')
      expect(document.activeElement).toBe(button())
      await userEvent.click(button())
    }
    expect(onClick).toHaveBeenCalledTimes(1)
    await userEvent.tab()
    expect(button().disabled).toBe(true)
  })

  it('a focused submit button that becomes disabled submits nothing', async () => {
    const onSubmit = vi.fn((event: FormEvent) => event.preventDefault())
    const form = (disabled: boolean) => (
      <form onSubmit={onSubmit}>
        <Button type="submit" disabled={disabled}>
          Save
        </Button>
      </form>
    )
    const { rerender } = render(form(false))
    act(() => button().focus())
    rerender(form(true))
    await userEvent.keyboard('{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('a button does not submit its form by default', () => {
    render(<Button>Send OTP</Button>)
    expect(button().type).toBe('button')
  })
})
