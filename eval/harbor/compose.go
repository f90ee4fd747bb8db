package harbor

import (
	"fmt"
	"strings"
)

// From is the first line of every Dockerfile: all containers have the same Python.
const From = "FROM python:3-slim-bookworm\n"

// Compose is what docker-compose.yaml says of a task whose server has a container of its own, next
// to the agent's, which is called main. Its image is built from Dockerfile. and its name.
type Compose struct {
	Server  string   // name of the container
	Command []string // that runs in it
	Socket  string   // that the server listens at, once it is ready
	Patient int      // how many seconds it may take
	Volumes []Volume // the socket's, and others
}

// Volume is a folder of both containers.
type Volume struct {
	Name, Path string
	ReadOnly   bool // to the agent
}

// YAML returns the text of docker-compose.yaml.
//
// The containers share a socket in a volume, because one without a network reaches no other. Harbor
// merges this file with one that builds main and keeps it up; other readers take this one alone.
// CONTEXT_DIR is the folder of this file, where a reader runs it from another place.
func (c Compose) YAML() string {
	var mine, theirs, names strings.Builder
	for _, v := range c.Volumes {
		mount := "      - " + v.Name + ":" + v.Path
		mine.WriteString(mount + "\n")
		if v.ReadOnly {
			mount += ":ro"
		}
		theirs.WriteString(mount + "\n")
		names.WriteString("  " + v.Name + ":\n")
	}
	command := "      - " + strings.Join(c.Command, "\n      - ")
	return fmt.Sprintf(compose, &theirs, c.Server, command, c.Socket, c.Patient, &mine, &names)
}

const compose = `services:
  main:
    build:
      context: ${CONTEXT_DIR:-.}
    command: [sh, -c, sleep infinity]
    volumes:
%[1]s    depends_on:
      %[2]s:
        condition: service_healthy
  %[2]s:
    build:
      context: ${CONTEXT_DIR:-.}
      dockerfile: Dockerfile.%[2]s
    network_mode: none
    command:
%[3]s
    healthcheck:
      test: [CMD, test, -S, %[4]s]
      interval: 1s
      retries: %[5]d
      start_period: %[5]ds
    volumes:
%[6]svolumes:
%[7]s`
