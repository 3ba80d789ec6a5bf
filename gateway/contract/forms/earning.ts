import { object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'

export const applyCodeBody = object({
  referralCode: string().required(API_TEXTS.referralMissing).max(64, API_TEXTS.referralPrefix),
})

export const completeTaskBody = object({
  taskId: string().required(API_TEXTS.taskUnknown).max(100, API_TEXTS.taskUnknown),
})
