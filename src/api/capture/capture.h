/* Captures of one frame: a key or a frame number starts one in the middle of a program
 * (docs/inspect.md).
 *
 * When a frame shall be recorded, the objects and the state of the device are written as calls that
 * create them. Then all its objects get the recording methods, until the frame is presented. */
#ifndef API_CAPTURE_CAPTURE_H
#define API_CAPTURE_CAPTURE_H

struct device;

/* Last step of creating a device: CAPTURE_KEY and CAPTURE_FRAME apply to it from now on. */
void api_capture_attach(struct device *device);
/* The next frame of a device that can be captured so becomes a capture, as with the key.
 * Thread-safe. */
void api_capture_request(void);
/* First step of destroying it: drops a capture whose frame has not ended. */
void api_capture_detach(struct device *device);

#endif
