export type { BulkInput, BulkResult } from './bulk.js';
export { Gala, type GalaOptions, type ItemOf, type ListPath } from './client.js';
export {
  BadRequestError,
  ConnectionError,
  errorFrom,
  ForbiddenError,
  GalaError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  ValidationError,
  type FieldProblem,
} from './errors.js';
export { type Import, type ImportCsvOptions, ImportError, type ImportOptions } from './import-csv.js';
export { verifyWebhook, WebhookVerificationError, type GalaEvent } from './webhooks.js';
export type { components, paths, webhooks } from './schema.js';
