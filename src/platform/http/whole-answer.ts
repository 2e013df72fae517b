import type { Response } from 'express';

/** An answer that sets its own status, headers and body: Nest would give it the status of the route's method. */
export class WholeAnswer {
  constructor(readonly send: (response: Response) => void) {}
}
