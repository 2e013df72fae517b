declare global {
  namespace Express {
    interface Request {
      /** Set by the session guard. */
      signedInUser?: object;
    }
  }
}

export {};
