/* Public interface of the Radeon R500 back end: command streams that display frames, their files,
 * disassembler, checker and chip model. */
#ifndef PRESENT_R500_R500_H
#define PRESENT_R500_R500_H

#include "present/r500/check/check.h"
#include "present/r500/model/model.h"
#include "present/r500/stream/dump.h"
#include "present/r500/stream/file.h"
#include "present/r500/stream/submit.h"

#endif
