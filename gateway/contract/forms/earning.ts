import { object, string } from 'yup'

export const applyCodeBody = object({
  referralCode: string()
    .required('Please enter a referral code')
    .max(64, 'Referral code must start with TESP'),
})

export const completeTaskBody = object({
  taskId: string().required('Task does not exist').max(100, 'Task does not exist'),
})
