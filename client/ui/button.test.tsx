import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Button } from '#client/ui/button.tsx'

const button = () => screen.getByRole<HTMLButtonElement>('button')

describe('a button', () => {
  it('cannot be pressed while busy, and says that it is', async () => {
    const press = vi.fn()
    render(
      <Button busy onClick={press}>
        Save
      </Button>,
    )
    await userEvent.click(button())
    expect(press).not.toHaveBeenCalled()
    expect(button().getAttribute('aria-busy')).toBe('true')
    expect(screen.getByText('Save')).toBeTruthy()
  })

  it('keeps both labels in place, so that its width does not change', () => {
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

  it('has the focus again once what it began is done', async () => {
    const { rerender } = render(<Button>Save</Button>)
    await userEvent.click(button())
    rerender(<Button busy>Save</Button>)
    button().blur()
    rerender(<Button>Save</Button>)
    expect(document.activeElement).toBe(button())
  })

  it('does not submit the form around it unless it is told to', () => {
    render(<Button>Send OTP</Button>)
    expect(button().type).toBe('button')
  })
})
