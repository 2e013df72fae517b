import { Injectable } from '@nestjs/common';

/** Where this process is in its life. It stops being ready before it stops to listen. */
@Injectable()
export class ServiceState {
  isStopping = false;
}
