import { SetMetadata } from '@nestjs/common';

export const RAW_BODY = 'gala:raw-body';

/** As large as notifications of other services may be (Meta’s: 3 MB). */
export const MAX_RAW_BODY_BYTES = 3 * 1024 * 1024;

/** Reads the body of a request, byte for byte. */
export type ReadBody = () => Promise<Buffer>;

/**
 * The route finds a `ReadBody` in `request.body`. Nothing is read before it is called: the headers can be checked first,
 * and a request that they show to be forged is answered without its body.
 */
export const RawBody = () => SetMetadata(RAW_BODY, true);
