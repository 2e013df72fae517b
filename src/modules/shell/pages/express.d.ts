declare global {
  namespace Express {
    interface Request {
      /** Set by the area guard. */
      settingsArea?: object;
    }
  }
}

export {};
