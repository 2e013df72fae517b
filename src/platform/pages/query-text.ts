import type { Request } from 'express';
import { FormInput } from './form-input';

/** A parameter of a page's address; blank when it isn't there. Pages don't mind parameters that they don't know. */
export function queryText(request: Request, name: string): string {
  return new FormInput(request.query as Record<string, string | string[]>).value(name);
}
