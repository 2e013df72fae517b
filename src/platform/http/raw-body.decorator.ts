import { SetMetadata } from '@nestjs/common';

export const RAW_BODY = 'gala:raw-body';

/** The route gets its body as a Buffer, byte for byte: what is signed has to be checked before it is read. */
export const RawBody = () => SetMetadata(RAW_BODY, true);
