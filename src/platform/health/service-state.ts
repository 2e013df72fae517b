import { Injectable } from '@nestjs/common';

/** Whether this process is stopping. It stops being ready before it stops listening. */
@Injectable()
export class ServiceState {
  isStopping = false;
}
